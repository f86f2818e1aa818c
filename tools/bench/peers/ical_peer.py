"""recurring-ical-events: a calendar of 5 MB. The answer has the form that peer.h describes, but is from a single run, because one run is long enough."""
import datetime
import os
import sys
import time

import icalendar
import recurring_ical_events


def calendar():
    with open(os.path.join(sys.argv[1], "calendar.ics"), "rb") as f:
        data = f.read()
    cal = icalendar.Calendar.from_ical(data)
    return len(recurring_ical_events.of(cal).between(datetime.date(2026, 1, 1), datetime.date(2027, 3, 1)))


for line in sys.stdin:
    if line.strip() != "calendar":
        print("-", flush=True)
        continue
    start = time.process_time_ns()
    events = calendar()
    print(time.process_time_ns() - start, events, flush=True)
