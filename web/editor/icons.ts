// Icons of the editor: the outlines that its own controls need, and the outlines for the kinds of widgets.
import * as all from '@mdi/js';

export { icon } from '../shared/icons';
export {
  mdiAlert, mdiAlertCircle, mdiAlertCircleOutline, mdiAlertOutline, mdiArrowAll, mdiArrowDown, mdiArrowExpandAll, mdiArrowLeft, mdiArrowRight, mdiArrowUp, mdiCancel, mdiCellphone, mdiCellphoneKey, mdiCellphoneRemove, mdiCheck, mdiCheckboxBlankOutline,
  mdiCheckboxMarked, mdiCheckCircle, mdiCheckCircleOutline, mdiChevronDown, mdiChevronLeft, mdiChevronRight, mdiClose, mdiCloseCircle, mdiContentDuplicate, mdiDatabaseOutline, mdiDevices, mdiDotsHorizontal,
  mdiDownload, mdiEyeOutline, mdiFileOutline, mdiFormatText, mdiFunctionVariant, mdiGestureTap, mdiHelpCircleOutline, mdiHistory, mdiHomeAssistant, mdiCodeJson, mdiInformationOutline, mdiKeyboardOutline, mdiLanDisconnect, mdiLaptop,
  mdiLinkVariant, mdiLockOutline, mdiMagnify, mdiMagnifyMinusOutline, mdiMagnifyPlusOutline, mdiMenuDown, mdiMinus, mdiMonitor, mdiPaletteOutline, mdiPencil, mdiPlus, mdiRedo, mdiRefresh, mdiSourceBranch, mdiTablet, mdiTextBoxOutline,
  mdiTrashCanOutline, mdiUndo, mdiViewDashboardOutline, mdiViewSplitVertical, mdiViewList, mdiWeatherNight, mdiWeatherSunny, mdiImageOutline,
} from '@mdi/js';

const kinds: Record<string, string> = {
  agenda: all.mdiCalendarBlankOutline, airquality: all.mdiAirFilter, camera: all.mdiCctv, card: all.mdiCardTextOutline, chart: all.mdiChartLine, clock: all.mdiClockOutline, column: all.mdiViewAgendaOutline,
  countdown: all.mdiTimerSand, dateclock: all.mdiClockOutline, flip: all.mdiSwapHorizontal, gauge: all.mdiGauge, grid: all.mdiViewGridOutline, heatmap: all.mdiGrid, icon: all.mdiShapeOutline, image: all.mdiImageOutline,
  label: all.mdiFormatText, layout: all.mdiViewDashboardVariantOutline, list: all.mdiFormatListBulleted, markdown: all.mdiLanguageMarkdownOutline, month: all.mdiCalendarMonthOutline, moon: all.mdiMoonWaningCrescent,
  nextevent: all.mdiCalendarClockOutline, pages: all.mdiBookOpenPageVariantOutline, photos: all.mdiImageOutline, progress: all.mdiProgressHelper, qr: all.mdiQrcode, row: all.mdiViewColumnOutline, space: all.mdiArrowExpandHorizontal,
  stack: all.mdiLayersOutline, sunpath: all.mdiWeatherSunset, table: all.mdiTable, text: all.mdiFormatText, ticker: all.mdiScriptTextOutline, timer: all.mdiTimerOutline, weather: all.mdiWeatherPartlyCloudy, week: all.mdiCalendarWeekOutline,
};

const sources: Record<string, string> = { calendar: all.mdiCalendarBlankOutline, weather: all.mdiWeatherPartlyCloudy, homeassistant: all.mdiHomeAssistant, rest: all.mdiCodeJson, feed: all.mdiRss, immich: all.mdiImageOutline, sun: all.mdiWeatherSunny, system: all.mdiMonitor };

/** kindIcon returns the outline for a kind of widget. */
export function kindIcon(kind = ''): string { return kinds[kind] ?? all.mdiShapeOutline; }

/** sourceIcon returns the outline for a type of provider. */
export function sourceIcon(type = ''): string { return sources[type] ?? all.mdiDatabaseOutline; }
