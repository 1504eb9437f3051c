/** What an error code of the file system means for the person who named the path. */
const REASONS: Record<string, string> = {
  EACCES: 'this account may not; correct owner and permissions · 无权限',
  EPERM: 'this account may not; correct owner and permissions · 无权限',
  EEXIST: 'it exists already; name another one · 已存在',
  EISDIR: 'it is a folder; name a file · 应为文件',
  ENOENT: 'it does not exist, or its folder does not; create that, or correct the path · 路径不存在',
  ENOTDIR: 'a part of the path is a file, not a folder; correct the path · 路径中有文件',
  ENOSPC: 'the disk is full; free some space · 磁盘已满',
  EDQUOT: 'the disk quota is used up; free some space · 磁盘配额已满',
  EROFS: 'its file system is read-only; name another path · 只读文件系统',
};

const VERBS: Record<string, string> = { mkdir: 'create', scandir: 'read', read: 'read', write: 'write' };

/** One sentence about an error of the file system: what failed, the path, why, and what to do. Undefined for others. */
export function describeFileError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code = '', syscall = '', path } = error as NodeJS.ErrnoException;
  const reason = REASONS[code];
  // Errors of sockets have these codes too, and no path; a full disk is noticed by writes, which have none either.
  if (reason === undefined || (path === undefined && syscall !== 'write')) return undefined;
  return `Cannot ${VERBS[syscall] ?? 'open'} ${path ?? 'below DATA_DIR or the path that was named'} (${code}): ${reason}。`;
}
