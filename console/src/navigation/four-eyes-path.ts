/** Address of the four-eyes panel, above the pending requests. */
export const FOUR_EYES_PATH = '/approval?state=0&fourEyes=1';
