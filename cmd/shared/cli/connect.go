package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

// connect returns the command that asks the user to give an OAuth 2 permission.
func (o *Options) connect() *cobra.Command {
	c := &cobra.Command{
		Use: "connect [options] DIR PROVIDER", Short: "Give a provider access to your account",
		Long: "Give a provider access to your account.\n\nThe provider needs auth: {oauth: …}. The command prints an address. Open this address in a browser and allow the access. " +
			"A browser on another machine cannot show the last page. Copy the address of that page and paste it here. " +
			"With --device you enter a code instead. The permission is kept in the state folder, and a running wall uses it at once.",
		Example: "  dashboard connect my-wall calendar           with a browser\n" +
			"  dashboard connect --device my-wall mail      with a code",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("%s: DIR and PROVIDER are needed", c.UseLine())
			}
			o.Command, o.Folder, o.Name = "connect", args[0], args[1]
			return nil
		},
		Args: cobra.ArbitraryArgs,
	}
	c.Flags().StringVar(&o.StateDir, "state-dir", "", "state `folder` of the wall (default: the wall's)")
	c.Flags().BoolVar(&o.Device, "device", false, "use a code that you enter on another device")
	c.Flags().StringVar(&o.Widgets, "widgets", "widgets.yaml", "`FILE` with the widgets")
	return c
}
