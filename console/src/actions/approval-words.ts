/** Button text of an action that goes to a second person. */
export const SUBMIT = '提交复核';
/** Begins the consequence of such an action. */
export const AFTER_APPROVAL = '提交后由另一位复核员确认，确认后';
