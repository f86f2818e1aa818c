package weather

// daysFew is a number of days. If fewer days fit side by side, the days may be in several lines.
const daysFew = 4

// chooseLines chooses the form daysBrief with several lines of days, if this form shows more than `than` days. The parameter `high` is the
// available height in px. chooseLines reports whether it chose the form.
func (d *skyDays) chooseLines(v *view, n, than, high int) bool {
	b := d.w.b
	wide, gap := d.nameWidth()+b.Px(dayIconGap)+min(b.Px(dayIcon), d.briefLine()), b.Px(dayLineGap)
	for i := range n {
		wide = max(wide, b.TextWidth(d.all[i].both.Face, d.highest(&v.days[d.first+i])))
	}
	columns := max(1, (d.w.size.X+b.Px(dayGap))/(wide+b.Px(dayGap)))
	lines := min((high+gap)/(d.briefHigh()+gap), (n+columns-1)/columns)
	if b.Look.Ink || min(n, columns*lines) <= than {
		return false
	}
	d.form, d.count, d.lines, d.apart, d.brief = daysBrief, min(n, columns*lines), lines, b.Px(dayGap), d.briefHigh()
	if bar := b.Px(spanBarGap + spanBar); high >= lines*(d.brief+bar+2*gap) {
		d.brief += bar
	}
	return true
}
