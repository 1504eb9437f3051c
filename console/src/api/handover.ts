/** Session storage keys that login and console pass values in, within the same window. */

/** Set by the login: the console shows the success toast. */
export const WELCOME_KEY = 'hengtai.welcome';
/** Set by the login: the console restores the tabs of the last session. */
export const RESUME_KEY = 'hengtai.resume';
/** Account that dismissed the four-eyes banner, until its next login. */
export const BANNER_KEY = 'hengtai.banner-hidden';
/** Set by the console: message that the login shows. */
export const FAREWELL_KEY = 'hengtai.farewell';
