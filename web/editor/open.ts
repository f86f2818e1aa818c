// The requests that each screen sends when it opens.
import { watchDevices } from './allowing';
import { loadConnections } from './connecting';
import type { Model, Screen } from './model';
import { loadDiff, loadVersions } from './saving';
import { loadGallery } from './shelf';
import { loadSecrets, loadValues } from './sources';
import { loadTheme } from './theming';

/** open requests the data that a screen shows. */
export function open(m: Model, screen: Screen): void {
  switch (screen) {
    case 'gallery': void loadGallery(m); break;
    case 'apply': void loadDiff(m); break;
    case 'versions': m.version = null; void loadVersions(m); break;
    case 'theme': void loadTheme(m); break;
    case 'devices': void watchDevices(m); break;
    case 'data': void loadConnections(m); // this screen also needs the secrets
    // falls through
    case 'provider': case 'newdata': void loadSecrets(m); break;
    case 'pick': void loadValues(m, `.${m.provider}`).then(() => loadDiff(m)); break;
  }
}
