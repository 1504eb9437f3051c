/** Formats bytes: `12 KB`, `3.4 MB`, `1.2 GB`. */
export function byteText(bytes: number): string {
  const megabytes = bytes / 1024 / 1024;
  if (megabytes < 1) return `${Math.ceil(bytes / 1024)} KB`;
  return megabytes < 1024 ? `${megabytes.toFixed(1)} MB` : `${(megabytes / 1024).toFixed(1)} GB`;
}
