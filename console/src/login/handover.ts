/** Notes that one document leaves for the next in the same window. */

/** Left by the login for the console: say that the login succeeded. */
export const WELCOME_KEY = 'hengtai.welcome';
/** Left by the login for the console: take up the tabs of last time. */
export const RESUME_KEY = 'hengtai.resume';
/** The account that put away the banner about open four-eyes, until the next login. */
export const BANNER_KEY = 'hengtai.banner-hidden';
/** Left by the console for the login: the words to say there. */
export const FAREWELL_KEY = 'hengtai.farewell';
