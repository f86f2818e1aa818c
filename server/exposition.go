package server

import (
	"bytes"
	"fmt"
	"strings"
)

// A family is the group of all samples of /metrics with the same name.
type family struct {
	name  string
	lines [][]byte
}

// exposition sorts samples by family and adds the help and the type to each family, because Prometheus' text format requires this. It
// removes samples that have no help text here and are not the program's own, such as histograms of the Go runtime.
func exposition(samples []byte) []byte {
	var all []*family
	byName := map[string]*family{}
	for line := range bytes.Lines(samples) {
		name := familyOf(string(line))
		if name == "" || help[name] == "" && !strings.HasPrefix(name, "dashboard_") {
			continue
		}
		f := byName[name]
		if f == nil {
			f = &family{name: name}
			byName[name] = f
			all = append(all, f)
		}
		f.lines = append(f.lines, line)
	}
	var b bytes.Buffer
	for _, f := range all {
		fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", f.name, help[f.name], f.name, typeOf(f.name))
		b.Write(bytes.Join(f.lines, nil))
	}
	return b.Bytes()
}

// summary is the only family whose samples have names that differ from the name of the family.
const summary = "go_gc_duration_seconds"

// familyOf returns the family of a line with a sample. For an empty line it returns "".
func familyOf(line string) string {
	end := strings.IndexAny(line, "{ \n")
	if end < 0 {
		return ""
	}
	if name := line[:end]; name != summary+"_sum" && name != summary+"_count" {
		return name
	}
	return summary
}

// typeOf returns the type of a family. The name determines the type.
func typeOf(name string) string {
	switch {
	case name == summary:
		return "summary"
	case strings.HasSuffix(name, "_total"):
		return "counter"
	}
	return "gauge"
}

// help contains the help texts by family.
var help = map[string]string{
	"dashboard_config_ok":                          "0 while a file has an error.",
	"dashboard_frames_total":                       "Painted frames of the main view.",
	"dashboard_glyph_cache_bytes":                  "Memory of cached glyphs.",
	"dashboard_http_connections":                   "Open connections, including streams.",
	"dashboard_http_lost_events_total":             "Events that a newer one replaced before there was room.",
	"dashboard_http_panics_total":                  "Requests that failed with an internal error.",
	"dashboard_http_refused_connections_total":     "Connections above the limit.",
	"dashboard_http_requests_total":                "Responses by route and class of status.",
	"dashboard_http_sent_bytes_total":              "Bytes of response bodies by route.",
	"dashboard_http_streams":                       "Open streams by kind.",
	"dashboard_info":                               "Version of the program.",
	"dashboard_last_paint_seconds":                 "Time to paint the newest frame.",
	"dashboard_mdns_conflicts_total":               "Names that another host on the network already had.",
	"dashboard_mdns_malformed_packets_total":       "Received multicast DNS packets that are malformed.",
	"dashboard_mdns_received_packets_total":        "Received multicast DNS packets.",
	"dashboard_mdns_sent_packets_total":            "Sent multicast DNS packets.",
	"dashboard_night":                              "1 while the night theme is active.",
	"dashboard_notification_pictures_failed_total": "Notification pictures that could not be fetched or decoded.",
	"dashboard_notification_pictures_to_fetch":     "Notification pictures that are not fetched yet.",
	"dashboard_notifications_total":                "Notification requests by result.",
	"dashboard_notifications_waiting":              "Notifications that wait for their turn, by widget.",
	"dashboard_output_errors_total":                "Frames that could not be shown, sent or written.",
	"dashboard_output_frames_total":                "Frames that were shown, sent or written.",
	"dashboard_output_lost_frames_total":           "Frames that a newer one replaced before the output had time.",
	"dashboard_paint_crashes_total":                "Failed attempts to paint. The next frame is painted whole.",
	"dashboard_paint_seconds_total":                "Time spent on painting and handing over frames.",
	"dashboard_passes_total":                       "Passes of the render loop, with or without a change.",
	"dashboard_provider_age_seconds":               "Age of the provider's value.",
	"dashboard_provider_failing":                   "1 if the provider's last attempt failed.",
	"dashboard_provider_stale":                     "1 if the provider's value is older than three intervals.",
	"dashboard_reader_battery_percent":             "Charge of an e-reader's battery.",
	"dashboard_reader_battery_volts":               "Voltage of an e-reader's battery.",
	"dashboard_reader_charging":                    "1 while an e-reader charges.",
	"dashboard_reader_refresh_seconds":             "Time until an e-reader asks again.",
	"dashboard_reader_seen_seconds":                "Time since an e-reader's last request.",
	"dashboard_reader_signal_dbm":                  "Wi-Fi signal of an e-reader.",
	"dashboard_screen_backend":                     "Method that switched the screen last: 1 if it worked, 0 if not.",
	"dashboard_screen_brightness":                  "Brightness of the view's screen, from 0 to 1.",
	"dashboard_screen_on":                          "1 while the view's screen is on.",
	"dashboard_stream_cache_bytes":                 "Memory of encoded frames.",
	"dashboard_stream_encode_seconds_total":        "Time spent on scaling and encoding frames.",
	"dashboard_stream_encodes_total":               "Encodings, one for each requested size.",
	"dashboard_stream_frames_total":                "Published frames.",
	"dashboard_stream_lost_frames_total":           "Frames that a subscriber missed because a newer one came.",
	"dashboard_stream_sizes":                       "Sizes in the cache.",
	"dashboard_system_font_bytes":                  "Approximate memory of fonts loaded from the machine.",
	"dashboard_system_fonts_refused_total":         "Times that a font did not fit into memory and boxes were drawn.",
	"dashboard_update_asked_seconds":               "Time since the server of updates answered.",
	"dashboard_update_given_up":                    "1 after an update that showed no picture, until another one does.",
	"dashboard_update_info":                        "Version and channel of the card's system.",
	"dashboard_update_percent":                     "Progress of the running update.",
	"dashboard_update_ready":                       "1 while there is an update to install.",
	"dashboard_update_refused":                     "1 if the last update was refused or failed to arrive.",
	"dashboard_update_running":                     "1 while an update is being installed.",
	"dashboard_view_frames_total":                  "Painted frames of a view other than main.",
	"dashboard_view_passes_total":                  "Passes of the render loop of a view other than main.",
	"dashboard_view_watched":                       "1 while the view has a viewer. A view without one is not painted.",
	"go_gc_cpu_seconds_total":                      "Estimated processor time of garbage collection.",
	summary:                                        "Pauses of garbage collection.",
	"go_goroutines":                                "Goroutines.",
	"go_gomaxprocs":                                "Processors that run Go code at the same time.",
	"go_info":                                      "Version of Go.",
	"go_memlimit_bytes":                            "Memory limit of the Go runtime.",
	"go_memstats_alloc_bytes":                      "Memory of live objects.",
	"go_memstats_alloc_bytes_total":                "Memory that was ever allocated.",
	"go_memstats_frees_total":                      "Freed objects.",
	"go_memstats_heap_alloc_bytes":                 "Memory of live objects on the heap.",
	"go_memstats_heap_idle_bytes":                  "Heap memory without objects.",
	"go_memstats_heap_inuse_bytes":                 "Heap memory with objects.",
	"go_memstats_heap_objects":                     "Objects on the heap.",
	"go_memstats_heap_released_bytes":              "Heap memory that was returned to the system.",
	"go_memstats_heap_sys_bytes":                   "Heap memory obtained from the system.",
	"go_memstats_last_gc_time_seconds":             "Time of the last garbage collection, in Unix time.",
	"go_memstats_mallocs_total":                    "Allocated objects.",
	"go_memstats_next_gc_bytes":                    "Heap size at which the next garbage collection starts.",
	"go_memstats_stack_inuse_bytes":                "Memory of stacks.",
	"go_memstats_sys_bytes":                        "Memory obtained from the system.",
	"go_mutex_wait_seconds_total":                  "Time that goroutines waited for locks.",
	"go_threads":                                   "Threads of the system.",
	"process_cpu_seconds_total":                    "Processor time.",
	"process_io_storage_read_bytes_total":          "Bytes read from storage.",
	"process_io_storage_written_bytes_total":       "Bytes written to storage.",
	"process_major_pagefaults_total":               "Page faults that read from storage.",
	"process_max_fds":                              "Limit of open files.",
	"process_num_threads":                          "Threads of the process.",
	"process_open_fds":                             "Open files.",
	"process_resident_memory_anon_bytes":           "Resident memory without files.",
	"process_resident_memory_bytes":                "Resident memory.",
	"process_resident_memory_file_bytes":           "Resident memory of files.",
	"process_resident_memory_peak_bytes":           "Largest resident memory.",
	"process_start_time_seconds":                   "Start of the process, in Unix time.",
	"process_virtual_memory_bytes":                 "Virtual memory.",
}
