/** Address of the setting with the chart site that the menu opens. The contract's KLINE_URL is too large an import here. */
export const KLINE_SETTING_PATH = '/config?edit=kline.url';
