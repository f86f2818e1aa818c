package text

// lru is a cache of values by key with a maximum number of bytes. When it is full, it drops the least recently used values. Callers look
// up keys in m directly, so that a key in an index expression causes no allocation. After a hit they call touch().
type lru[K comparable, V any] struct {
	m        map[K]*entry[K, V]
	root     entry[K, V] // root of a ring of all entries: root.next is the newest entry, root.prev is the oldest entry
	bytes    int
	maxBytes int
}

type entry[K comparable, V any] struct {
	prev, next *entry[K, V]
	key        K
	val        V
	bytes      int
}

func (l *lru[K, V]) init(maxBytes int) {
	l.m = make(map[K]*entry[K, V])
	l.root.prev, l.root.next = &l.root, &l.root
	l.maxBytes = maxBytes
}

// touch makes e the most recently used entry.
func (l *lru[K, V]) touch(e *entry[K, V]) {
	if l.root.next == e {
		return
	}
	e.prev.next, e.next.prev = e.next, e.prev
	l.link(e)
}

func (l *lru[K, V]) link(e *entry[K, V]) {
	e.prev, e.next = &l.root, l.root.next
	e.prev.next, e.next.prev = e, e
}

// add stores `val` under the key k, which must not be in use. A value larger than the whole cache is not stored, because it would only
// evict all other values.
func (l *lru[K, V]) add(k K, val V, bytes int) {
	if bytes > l.maxBytes {
		return
	}
	for l.bytes+bytes > l.maxBytes {
		l.drop(l.root.prev)
	}
	e := &entry[K, V]{key: k, val: val, bytes: bytes}
	l.m[k] = e
	l.link(e)
	l.bytes += bytes
}

func (l *lru[K, V]) drop(e *entry[K, V]) {
	e.prev.next, e.next.prev = e.next, e.prev
	delete(l.m, e.key)
	l.bytes -= e.bytes
}
