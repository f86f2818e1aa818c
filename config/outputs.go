package config

import (
	"cmp"
	"dashboard/internal/spelling"
	"slices"
	"strings"
)

// The types of outputs in conf.yaml. OutputFramebuffer is a second name for OutputWindow.
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

// OutputTypes returns the available types of outputs.
func OutputTypes() []string { return slices.Clone(outputTypes) }

// An Output is one destination of frames. Exactly one of the pointers to settings is not nil.
type Output struct {
	Type   string // type in the file: one of the constants that begin with Output
	Window *WindowOutput
	File   *FileOutput
	Post   *PostOutput
	Stream *StreamOutput
	Panel  *PanelOutput
	TRMNL  *TRMNLOutput `json:",omitempty"` // settings for e-readers, which fetch their frames
	Node   *Node        // node of the output in the file; nil if old keys describe the output
}

// Shows contains the key that selects the view of an output.
type Shows struct {
	// View to show. Default: main. A stream without this key serves all views that have no other stream.
	View string `yaml:"view"`
}

// named() returns the view in the output's key view, or "" if the file does not set it.
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

// otherOutputs maps common words for outputs to the types that users probably mean by them.
var otherOutputs = map[string]string{
	"screen": "window", "display": "window", "monitor": "window", "hdmi": "window", "drm": "window", "kms": "window", "tv": "window",
	"fb": "framebuffer", "fbdev": "framebuffer", "http": "stream", "web": "stream", "browser": "stream", "server": "stream", "mjpeg": "stream",
	"upload": "post", "png": "file", "image": "file", "epaper": "panel", "eink": "panel", "e-paper": "panel", "waveshare": "panel",
}

// OutputsOf returns the outputs that show a view.
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

// WindowOutput shows frames on a screen of this machine.
type WindowOutput struct {
	Shows
	// Scales the frame to the whole screen. Otherwise the frame is centered without scaling.
	Fullscreen bool `yaml:"fullscreen" default:"false"`
	// Framebuffer device, or the file of the virtual driver. Default for a framebuffer: /dev/fb0.
	Device string `yaml:"device" minlen:"1"`
	// Turns the picture clockwise.
	Rotate int `yaml:"rotate" default:"0" enum:"0,90,180,270" unit:"degrees"`
	// Waits for the vertical blank. Default: true if the driver supports it.
	VSync *bool `yaml:"vsync"`
	// Alternates between two pages of the framebuffer's memory, if there is room for two. Most boards need
	// drm_kms_helper.drm_fbdev_overalloc=200 on the kernel's command line. Test this key, because some drivers accept it but show no new
	// frames.
	Pan bool `yaml:"pan" default:"false"`
	// Console that the output takes over. Default: the active console.
	TTY string `yaml:"tty"`
	// drm: kernel mode setting, also for hot-plugged screens. fbdev: the framebuffer. virtual: a file. auto: fbdev if device is set,
	// the type is framebuffer, or no graphics card has a connector; otherwise drm.
	Driver string `yaml:"driver" default:"auto" enum:"auto,drm,fbdev,virtual"`
	// Connector of the graphics card, such as HDMI-A-1. Default: the first connector with a screen. dashboard display probe lists
	// connectors.
	Connector string `yaml:"connector" minlen:"1"`
	// Mode, such as 1920x1080@60, if the screen offers it. Default: the screen's preferred mode.
	Mode string `yaml:"mode"`
	// Largest mode that is chosen automatically.
	MaxSize *Size `yaml:"max_size" unit:"px"`
	// Range of color levels, if the driver supports it. Use limited if dark shades are lost, full if black looks gray. auto follows the
	// screen.
	RGBRange string `yaml:"rgb_range" enum:"auto,full,limited"`
	// Size of a virtual framebuffer. Default: the resolution.
	Size *Size `yaml:"size" unit:"px"`
	// Pixel format of a virtual framebuffer, such as rgb565 or xrgb8888.
	Format string `yaml:"format"`
	// Accepted without effect.
	XDisplay *string `yaml:"x_display"`

	// Touchscreen of this screen: a part of its name, none, or auto (any touchscreen, for the first window). dashboard display probe lists
	// touchscreens.
	Touch string `yaml:"touch" minlen:"1"`
	// Calibration of a rotated touchscreen: the six numbers of libinput's calibration matrix. [0, 1, 0, -1, 0, 1] rotates by 90
	// degrees. Default: the matrix for rotate and graphics.flip.
	TouchMatrix []float64 `yaml:"touch_matrix" minlen:"6" maxlen:"6"`
}

// ImageOptions sets how frames are encoded as JPEG.
type ImageOptions struct {
	// JPEG quality.
	Quality int `yaml:"quality" default:"85" min:"1" max:"100"`
	// JPEG chroma subsampling: 444 keeps the color of small text sharp, 420 makes photographs smaller.
	Chroma int `yaml:"chroma" default:"444" enum:"420,444"`
}

// FileOutput saves frames as files.
type FileOutput struct {
	Shows
	// Folder of the files. It is created if it does not exist.
	OutputPath string `yaml:"output_path" default:"./headless_output" minlen:"1"`
	// Time from one file to the next.
	RenderInterval int `yaml:"render_interval" default:"60" min:"1" unit:"s"`
	// Format of the files.
	ImageFormat string `yaml:"image_format" default:"png" enum:"png,jpg,jpeg,bmp"`
	// Ink colors of the picture, for png or bmp. Letters and lines get the nearest ink, and photos are dithered.
	Palette string `yaml:"palette" enum:"bw,bwr,gray4,bwry,spectra6,inky7,gray16,gray256"`
	// File name without ending. {timestamp} is the local time. It includes the UTC offset in the hour that repeats when clocks are set
	// back. {sequence} is a counter.
	Pattern string `yaml:"filename_pattern" default:"grydgets_{timestamp}" minlen:"1"`
	// Number of newest files to keep. 0 keeps all.
	KeepImages int `yaml:"keep_images" default:"100" min:"0"`
	// Keeps a link latest.<format> to the newest file.
	LatestSymlink bool `yaml:"create_latest_symlink" default:"true"`
	ImageOptions
}

// PostOutput uploads frames.
type PostOutput struct {
	Shows
	// Address that frames are sent to.
	URL       string `yaml:"url" required:"true" format:"url" else:"as written"`
	URLSecret bool   `secret:"url" json:"-"` // the address came from a secret
	// Format of the upload.
	ImageFormat string `yaml:"image_format" default:"png" enum:"png,jpg,jpeg,bmp"`
	// Ink colors of the picture, for png or bmp. Letters and lines get the nearest ink, and photos are dithered. With trigger on_dirty,
	// pictures that are the same in these inks are not uploaded.
	Palette string `yaml:"palette" enum:"bw,bwr,gray4,bwry,spectra6,inky7,gray16,gray256"`
	// When to upload: after a change of the frame, or at a regular interval.
	Trigger string `yaml:"trigger" default:"on_dirty" enum:"on_dirty,interval"`
	// Minimum time from one upload to the next.
	MinInterval float64 `yaml:"min_interval" default:"60" min:"0.1" max:"31536000" unit:"s"`
	// Login at the endpoint.
	Auth *Auth `yaml:"auth"`
	// Uploads the picture as a field of a form.
	Multipart *Multipart `yaml:"multipart"`
	// Request after each successful upload.
	AfterPost *AfterPost `yaml:"after_post"`
	ImageOptions
}

// Auth is the login to an HTTP server: a bearer token, or a name and a password.
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

// Multipart names the parts of a form upload.
type Multipart struct {
	// Form field name.
	FieldName string `yaml:"field_name" default:"file"`
	// Name of the file. Default: image.<format>.
	Filename string `yaml:"filename"`
}

// AfterPost is a request that is sent after each successful upload.
type AfterPost struct {
	// Address of the request.
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
	// Time without a change before a frame is published. Default: every frame is published, but clients that accept only whole frames get at
	// most five events a second.
	DebounceMS *int `yaml:"debounce_ms" min:"0" max:"10000" unit:"ms"`
	// Memory for cached frames in other sizes.
	CacheMB int `yaml:"cache_mb" default:"64" min:"1" max:"4096" unit:"MB"`
	ImageOptions
}

// PanelOutput shows frames on an e-paper or another small display that is connected to the pins of the board.
type PanelOutput struct {
	Shows
	// Model of the panel.
	Model string `yaml:"model" required:"true" enum:"waveshare-7in5-v2,waveshare-7in5-b-v2,waveshare-4in2-v2,waveshare-2in13-v4,spectra6-7in3,waveshare-7in3-f,inky-7in3-2025,inky-13in3,ssd1306"`
	// Shortest time between two updates. Default: 1m for black and white, 15m for colors.
	MinInterval *Interval `yaml:"min_interval"`
	// Number of partial updates until a full refresh, which flashes. For panels with partial refresh.
	FullEvery int `yaml:"full_every" default:"10" min:"1" max:"100"`
}

// outputsOf decodes and checks the list of outputs in conf.yaml.
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

// outputOf decodes one output. Its key type selects the settings.
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

// params() allocates the settings for the output's type and returns a pointer to them. For an unknown type it returns nil.
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

// legacyOutputs returns the outputs of a file without the key outputs. If headless is enabled, the outputs are files. Otherwise the
// output is the framebuffer in fb-device or, if this key is missing, a window.
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
