/** Specific browsers first, because most user agents also name others. */
const BROWSERS: readonly [RegExp, string][] = [
  [/MicroMessenger\/([\d]+)/, '微信'],
  [/Edg(?:A|iOS)?\/([\d]+)/, 'Edge'],
  [/OPR\/([\d]+)/, 'Opera'],
  [/(?:Firefox|FxiOS)\/([\d]+)/, 'Firefox'],
  [/(?:Headless)?Chrome\/([\d]+)/, 'Chrome'],
  [/CriOS\/([\d]+)/, 'Chrome'],
  [/Version\/([\d]+)[.\d]* (?:Mobile\/\w+ )?Safari/, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
];

/** Short text for a user agent; unknown ones are returned unchanged. */
export function browserOf(userAgent: string): string {
  if (userAgent === '') return '--';
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent));
  if (!browser) return userAgent;
  const version = browser[0].exec(userAgent)?.[1] ?? '';
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return `${browser[1]} ${version}${system ? ` · ${system}` : ''}`;
}
