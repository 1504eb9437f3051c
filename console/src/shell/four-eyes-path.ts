/** The panel of four-eyes, over the requests that wait. */
export const FOUR_EYES_PATH = '/approval?state=0&fourEyes=1';
