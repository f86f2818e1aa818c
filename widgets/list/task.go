package list

import "dashboard/control"

// Icons for the states of a task.
const (
	iconOpen      = "mdi:checkbox-blank-circle-outline"
	iconDone      = "mdi:check-circle"
	iconWaiting   = "mdi:progress-check" // the completion has not reached the source
	iconReopening = "mdi:progress-clock" // the change to an open task, or a new task, has not reached the source
	iconRefused   = "mdi:alert-circle"   // the source rejected the last change
)

// ticks() reports whether a tap on the row completes or reopens a task.
func ticks(r *RowItem) bool { return r != nil && r.OnTap != nil && r.OnTap.Verb == control.Done }

// taskTemplate appends the programs that read the task of an entry.
func (src *rowSource) taskTemplate(r *RowItem, all *programs) {
	if !ticks(r) {
		return
	}
	for part := partTask; part < parts; part++ {
		src.field[part] = len(all.codes)
		all.codes = append(all.codes, ".item | objects | ."+partNames[part])
	}
	if r.Text == nil {
		src.field[partText] = len(all.codes)
		all.codes = append(all.codes, ".item.title")
	}
}

// showTask shows the state of a task in the parts that the file does not set. The reason why a change was rejected also replaces a note
// that the file sets.
func (r *rowValues) showTask() {
	waits, problem := r.truth(partWaiting), r.text(partProblem)
	r.preset(partIcon, r.taskIcon(waits, problem))
	r.preset(partStrike, r.truth(partDone))
	if problem != "" {
		r.v[partNote], r.has[partNote] = problem, true
		r.preset(partColor, "bad")
	}
}

// taskIcon returns the icon for the state of a task.
func (r *rowValues) taskIcon(waits bool, problem string) string {
	switch {
	case problem != "":
		return iconRefused
	case waits && !r.truth(partDone):
		return iconReopening
	case waits:
		return iconWaiting
	case r.truth(partDone):
		return iconDone
	}
	return iconOpen
}

// preset sets a part, unless the file sets it.
func (r *rowValues) preset(part int, v any) {
	if !r.has[part] {
		r.v[part], r.has[part] = v, true
	}
}

// truth() reports whether a part is true.
func (r *rowValues) truth(part int) bool {
	on, ok := r.v[part].(bool)
	return r.has[part] && ok && on
}

// tick() returns the action that completes or reopens the task of a row. It returns false if the row has no task.
func (r *rowValues) tick() (control.Action, bool) {
	task, _ := r.v[partTask].(string)
	if task == "" {
		return control.Action{}, false
	}
	return control.Ticked(task, r.truth(partDone)), true
}
