package config

import (
	"cmp"
	"dashboard/internal/spelling"
	"slices"
	"strings"
)

// Types of outputs as conf.yaml names them. OutputFramebuffer is OutputWindow
// under another name.
const (
	OutputWindow      = "window"
	OutputFramebuffer = "framebuffer"
	OutputFile        = "file"
	OutputPost        = "post"
	OutputStream      = "stream"
	OutputPanel       = "panel"
	OutputTRMNL       = "trmnl"
)

var outputTypes = []string{OutputWindow, OutputFramebuffer, OutputFile, OutputPost, OutputStream, OutputPanel, OutputTRMNL}

// OutputTypes returns the types of outputs there are.
func OutputTypes() []string { return slices.Clone(outputTypes) }

// Output is one place frames go to. Exactly one of the pointers is not nil.
type Output struct {
	Type   string // as written; see the Output constants
	Window *WindowOutput
	File   *FileOutput
	Post   *PostOutput
	Stream *StreamOutput
	Panel  *PanelOutput
	TRMNL  *TRMNLOutput `json:",omitempty"` // it is no place of its own: its devices ask
	Node   *Node        // where it was written; nil for one that old keys imply
}

// Shows says which view an output shows.
type Shows struct {
	// View that it shows; main if it says nothing. A stream without it serves each view that has none of its own.
	View string `yaml:"view"`
}

// named is the view that is written for the output, "" for none.
func (o Output) named() string {
	switch {
	case o.Window != nil:
		return o.Window.View
	case o.File != nil:
		return o.File.View
	case o.Post != nil:
		return o.Post.View
	case o.Stream != nil:
		return o.Stream.View
	case o.Panel != nil:
		return o.Panel.View
	}
	return ""
}

// otherOutputs are usual words for outputs, with the type.
var otherOutputs = map[string]string{
	"screen": "window", "display": "window", "monitor": "window", "hdmi": "window", "drm": "window", "kms": "window", "tv": "window",
	"fb": "framebuffer", "fbdev": "framebuffer", "http": "stream", "web": "stream", "browser": "stream", "server": "stream", "mjpeg": "stream",
	"upload": "post", "png": "file", "image": "file", "epaper": "panel", "eink": "panel", "e-paper": "panel", "waveshare": "panel",
}

// OutputsOf are the outputs that show a view.
func (c *Conf) OutputsOf(view string) []Output {
	own := slices.ContainsFunc(c.Outputs, func(o Output) bool { return o.Stream != nil && o.named() == view })
	var all []Output
	for _, o := range c.Outputs {
		name := cmp.Or(o.named(), MainView)
		if o.TRMNL != nil {
			if slices.Contains(o.TRMNL.views(), view) {
				all = append(all, o)
			}
			continue
		}
		if name == view || o.Stream != nil && o.named() == "" && !own {
			all = append(all, o)
		}
	}
	return all
}

// WindowOutput shows frames on a framebuffer.
type WindowOutput struct {
	Shows
	// Scales the frame to the whole screen; otherwise it is shown unscaled and centred.
	Fullscreen bool `yaml:"fullscreen" default:"false"`
	// Framebuffer device, or the file of the virtual driver; /dev/fb0 where a framebuffer is used and none is named.
	Device string `yaml:"device" minlen:"1"`
	// Turns the picture clockwise.
	Rotate int `yaml:"rotate" default:"0" enum:"0,90,180,270" unit:"degrees"`
	// Waits for the vertical blank; by default where the driver has it.
	VSync *bool `yaml:"vsync"`
	// Shows each frame at once by flipping between two pages of the framebuffer's memory, where it has room for two (on
	// most boards with drm_kms_helper.drm_fbdev_overalloc=200 on the kernel's command line). There are drivers that accept
	// it and show nothing new, so try it.
	Pan bool `yaml:"pan" default:"false"`
	// Console to lease; by default the active one.
	TTY string `yaml:"tty"`
	// drm is the kernel's mode setting, which follows a screen that is plugged in or switched on; fbdev its framebuffer,
	// virtual a file that stands for one. auto is fbdev where a device is named or the type is framebuffer, else drm where
	// a graphics card has a connector, else fbdev.
	Driver string `yaml:"driver" default:"auto" enum:"auto,drm,fbdev,virtual"`
	// Socket of the graphics card, such as HDMI-A-1; by default the first with a screen. dashboard display probe lists
	// them.
	Connector string `yaml:"connector" minlen:"1"`
	// What the screen is driven with, such as 1920x1080@60, if it offers that; by default what it prefers.
	Mode string `yaml:"mode"`
	// Modes that are larger are not chosen by themselves.
	MaxSize *Size `yaml:"max_size" unit:"px"`
	// Levels of colors that are sent, where the driver has a choice: full for monitors, limited for televisions that show
	// black as grey or lose dark shades otherwise; auto is what the screen says.
	RGBRange string `yaml:"rgb_range" enum:"auto,full,limited"`
	// Size of a virtual framebuffer; by default the resolution.
	Size *Size `yaml:"size" unit:"px"`
	// Pixel format of a virtual framebuffer, such as rgb565 or xrgb8888.
	Format string `yaml:"format"`
	// Accepted and ignored: there is no X here.
	XDisplay *string `yaml:"x_display"`

	// The touchscreen over this screen: a part of its name, none, or auto: any, for the first window. dashboard display
	// probe lists them.
	Touch string `yaml:"touch" minlen:"1"`
	// Where a touchscreen that is mounted otherwise is touched: six numbers as libinput's calibration matrix has them,
	// over shares of width and height; [0, 1, 0, -1, 0, 1] is turned by 90 degrees. rotate and graphics.flip are undone
	// without it.
	TouchMatrix []float64 `yaml:"touch_matrix" minlen:"6" maxlen:"6"`
}

// ImageOptions say how frames become JPEG.
type ImageOptions struct {
	// JPEG quality.
	Quality int `yaml:"quality" default:"85" min:"1" max:"100"`
	// JPEG chroma subsampling: 444 keeps the color of small text sharp, 420 makes photographs smaller.
	Chroma int `yaml:"chroma" default:"444" enum:"420,444"`
}

// FileOutput saves frames as files.
type FileOutput struct {
	Shows
	// Folder of the files; made if it is not there.
	OutputPath string `yaml:"output_path" default:"./headless_output" minlen:"1"`
	// Time from one file to the next.
	RenderInterval int `yaml:"render_interval" default:"60" min:"1" unit:"s"`
	// Format of the files.
	ImageFormat string `yaml:"image_format" default:"png" enum:"png,jpg,jpeg,bmp"`
	// Inks that the picture is made of, in png or bmp: letters and lines become the nearest, photos are dithered.
	Palette string `yaml:"palette" enum:"bw,bwr,gray4,bwry,spectra6,inky7,gray16,gray256"`
	// Name of a file without its ending; {timestamp} (the local time; with its offset where the clock shows an hour twice)
	// and {sequence} are filled in.
	Pattern string `yaml:"filename_pattern" default:"grydgets_{timestamp}" minlen:"1"`
	// How many files whose names the pattern gives are kept, the newest; 0 keeps all.
	KeepImages int `yaml:"keep_images" default:"100" min:"0"`
	// Keeps a link latest.<format> to the newest file.
	LatestSymlink bool `yaml:"create_latest_symlink" default:"true"`
	ImageOptions
}

// PostOutput uploads frames.
type PostOutput struct {
	Shows
	// Where frames are sent to.
	URL       string `yaml:"url" required:"true" format:"url" else:"as written"`
	URLSecret bool   `secret:"url" json:"-"` // the address came from a secret
	// Format of the upload.
	ImageFormat string `yaml:"image_format" default:"png" enum:"png,jpg,jpeg,bmp"`
	// Inks that the picture is made of, in png or bmp: letters and lines become the nearest, photos are dithered. A
	// picture that is the same in these inks is not uploaded again.
	Palette string `yaml:"palette" enum:"bw,bwr,gray4,bwry,spectra6,inky7,gray16,gray256"`
	// Uploads when the frame changed, or steadily.
	Trigger string `yaml:"trigger" default:"on_dirty" enum:"on_dirty,interval"`
	// Least time from one upload to the next.
	MinInterval float64 `yaml:"min_interval" default:"60" min:"0.1" max:"31536000" unit:"s"`
	// Who we are to the endpoint.
	Auth *Auth `yaml:"auth"`
	// Uploads as a form instead of the bare picture.
	Multipart *Multipart `yaml:"multipart"`
	// A request made after each successful upload.
	AfterPost *AfterPost `yaml:"after_post"`
	ImageOptions
}

// Auth is who we are to an HTTP server: a bearer token, or a name and a
// password.
type Auth struct {
	// Bearer token.
	Bearer *string `yaml:"bearer"`
	// Name and password.
	Basic *BasicAuth `yaml:"basic"`
}

// BasicAuth is a name and a password, RFC 7617.
type BasicAuth struct {
	// User name.
	Username string `yaml:"username"`
	// Password.
	Password string `yaml:"password"`
}

// Multipart says how a form upload is named.
type Multipart struct {
	// Name of the form field.
	FieldName string `yaml:"field_name" default:"file"`
	// Name of the file; by default image.<format>.
	Filename string `yaml:"filename"`
}

// AfterPost is a request made after an upload.
type AfterPost struct {
	// What is requested.
	URL       string `yaml:"url" required:"true" format:"url" else:"as written"`
	URLSecret bool   `secret:"url" json:"-"` // the address came from a secret
	// HTTP method.
	Method string `yaml:"method" default:"GET" enum:"GET,POST,PUT,DELETE"`
}

// StreamOutput publishes frames over HTTP.
type StreamOutput struct {
	Shows
	// Format of the frames.
	ImageFormat string `yaml:"image_format" default:"jpeg" enum:"jpeg,jpg,png,bmp"`
	// Publishes a frame only when it has been still for so long. Without it every frame is published, and clients that
	// take no tiles are told of one only when it has been still for 200 ms.
	DebounceMS *int `yaml:"debounce_ms" min:"0" max:"10000" unit:"ms"`
	// Memory for frames kept at other sizes.
	CacheMB int `yaml:"cache_mb" default:"64" min:"1" max:"4096" unit:"MB"`
	ImageOptions
}

// PanelOutput shows frames on e-paper, or another small display, at the board's pins.
type PanelOutput struct {
	Shows
	// The panel, by its maker's name for it.
	Model string `yaml:"model" required:"true" enum:"waveshare-7in5-v2,waveshare-7in5-b-v2,waveshare-4in2-v2,waveshare-2in13-v4,spectra6-7in3,waveshare-7in3-f,inky-7in3-2025,inky-13in3,ssd1306"`
	// Least time from one update to the next; 1m for black and white, 15m for colors.
	MinInterval *Interval `yaml:"min_interval"`
	// After so many updates of a part everything is refreshed, which flashes; of panels that can refresh a part.
	FullEvery int `yaml:"full_every" default:"10" min:"1" max:"100"`
}

// outputsOf decodes the list of outputs and checks it as a whole.
func outputsOf(n *Node, r *Report) []Output {
	if n.Broken() {
		return nil
	}
	if n.Kind() != List {
		r.Errorf(n, "must be a list of outputs, not %s", n.Shown())
		return nil
	}
	if n.Len() == 0 {
		r.Errorf(n, "at least one output must be configured")
	}
	var outputs []Output
	var windows windows
	for _, item := range n.Items() {
		o, ok := outputOf(item, r)
		if !ok {
			continue
		}
		outputs = append(outputs, o)
		if o.Window != nil {
			windows.add(o, r)
		}
	}
	return outputs
}

// outputOf decodes one output by its type.
func outputOf(n *Node, r *Report) (Output, bool) {
	o := Output{Node: n}
	kind := n.Get("type")
	switch {
	case n.Broken(), kind.Broken():
		return o, false
	case n.Kind() != Map || kind.Kind() == Null:
		r.Errorf(n, "each output must be a mapping with a 'type' key; there are: %s", strings.Join(outputTypes, ", "))
		return o, false
	}
	o.Type = kind.Text()
	params := o.params()
	if params == nil {
		d := diagnose(kind, Error, unknownWord("output type", kind.word(), strings.Join(outputTypes, ", ")))
		if d.Near = otherOutputs[strings.ToLower(kind.word())]; d.Near == "" {
			d.Near = spelling.Nearest(kind.word(), outputTypes)
		}
		r.Add(d)
		return o, false
	}
	n.Decode(params, r, &DecodeOptions{Reserved: []string{"type"}})
	if o.Window != nil {
		o.Window.check(n, r)
		if o.Type == OutputFramebuffer && o.Window.Driver == DriverAuto {
			o.Window.Driver = DriverFBDev
		}
	}
	if o.TRMNL != nil {
		o.TRMNL.check(n, r)
	}
	return o, true
}

// params makes the part of the output that its type uses, nil for an unknown
// type.
func (o *Output) params() any {
	switch o.Type {
	case OutputWindow, OutputFramebuffer:
		o.Window = &WindowOutput{}
		return o.Window
	case OutputFile:
		o.File = &FileOutput{}
		return o.File
	case OutputPost:
		o.Post = &PostOutput{}
		return o.Post
	case OutputStream:
		o.Stream = &StreamOutput{}
		return o.Stream
	case OutputPanel:
		o.Panel = &PanelOutput{}
		return o.Panel
	case OutputTRMNL:
		o.TRMNL = &TRMNLOutput{}
		return o.TRMNL
	}
	return nil
}

// legacyOutputs is what a configuration without 'outputs' means: files if
// headless is enabled, else the framebuffer named, else a window.
func (c *Conf) legacyOutputs() []Output {
	if c.Headless != nil && c.Headless.Enabled {
		file := c.Headless.FileOutput
		return []Output{{Type: OutputFile, File: &file}}
	}
	window := &WindowOutput{}
	(*Node)(nil).Decode(window, &Report{}, nil)
	if c.Graphics.FBDevice != nil {
		window.Device, window.Driver = *c.Graphics.FBDevice, DriverFBDev
		return []Output{{Type: OutputFramebuffer, Window: window}}
	}
	window.Fullscreen, window.XDisplay = c.Graphics.Fullscreen, c.Graphics.XDisplay
	return []Output{{Type: OutputWindow, Window: window}}
}
