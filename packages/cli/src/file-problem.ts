// A file system error as a sentence: which file, and what is wrong with it.

interface SystemError {
  readonly code?: string;
  readonly message: string;
  readonly path?: string;
}

/** `path` is how the user spelled it; some errors of the system name no file. */
export function fileProblem(error: unknown, path?: string): string {
  const { code, message, path: named } = error as SystemError;
  const file = path ?? named ?? 'a file';
  switch (code) {
    case 'ENOENT':
      return `${file} does not exist`;
    case 'EISDIR':
      return `${file} is a directory`;
    case 'EEXIST':
      return `${file} exists, and is not a directory`;
    case 'ENOTDIR':
      return `${file}: something on this path is not a directory`;
    case 'EACCES':
    case 'EPERM':
      return `not allowed to use ${file}`;
    case 'EROFS':
      return `${file} is on a read-only file system`;
    case 'ENOSPC':
      return `${file}: no space left on the disk`;
    default:
      return `${file}: ${message}`;
  }
}

/** The same for a file that is to be written: there it is the folder that does not exist. */
export function writeProblem(error: unknown, path: string): string {
  const { code } = error as SystemError;
  return code === 'ENOENT'
    ? `${path} cannot be written: its folder does not exist`
    : `${fileProblem(error, path)}, and cannot be written`;
}
