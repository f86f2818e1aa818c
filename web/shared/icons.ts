// Icons of Material Design Icons (Apache 2.0). Only the icons that this file names are bundled.
import { html, type TemplateResult } from 'lit';

/** icon() draws a path of Material Design Icons. Screen readers ignore it, because the words next to it have the meaning. */
export function icon(path: string, size = 24): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" width=${size} height=${size} aria-hidden="true" focusable="false"><path fill="currentColor" d=${path}></path></svg>`;
}

export {
  mdiAlertCircleOutline, mdiArrowLeft, mdiBackupRestore, mdiBattery, mdiBatteryLow, mdiBellOutline, mdiBrightness6, mdiBrightnessAuto, mdiCheck, mdiCheckCircle,
  mdiCheckboxMarkedCircleOutline, mdiChevronLeft, mdiChevronRight, mdiClockAlertOutline, mdiCloudCheckOutline, mdiCloudDownloadOutline, mdiDevices, mdiDog, mdiDoor,
  mdiDotsVertical, mdiDownload, mdiEyeOffOutline, mdiEyeOutline, mdiFileAlertOutline, mdiFileKeyOutline, mdiFullscreen, mdiGestureTap, mdiHeartOutline, mdiHomeOutline,
  mdiKeyboardOutline, mdiLanDisconnect, mdiLightbulbOnOutline, mdiLockOutline, mdiMagnify, mdiMessageTextOutline, mdiMinus, mdiMonitor, mdiMonitorCellphone, mdiPalette,
  mdiPasta, mdiPencil, mdiPlay, mdiPlus, mdiPower, mdiPowerPlugOutline, mdiProgressDownload, mdiQrcode, mdiRefresh, mdiRestart, mdiSend, mdiShieldCheckOutline,
  mdiSilverwareForkKnife, mdiStop, mdiTabletDashboard, mdiThemeLightDark, mdiTimerOutline, mdiTools, mdiUndoVariant, mdiUpdate, mdiViewCarouselOutline,
  mdiCheckboxBlankCircleOutline, mdiFormatListChecks, mdiProgressCheck, mdiWashingMachine, mdiWeatherNight, mdiWeatherSunny, mdiWifi,
} from '@mdi/js';
