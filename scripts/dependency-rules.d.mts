export interface LockEntry {
  version?: string;
  license?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  os?: string[];
  hasInstallScript?: boolean;
  engines?: { node?: string };
}

export interface Lock {
  packages: Record<string, LockEntry>;
}

export type Manifest = Partial<
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies' | 'overrides', Record<string, string>>
>;

export interface Project {
  lock: Lock;
  /** By path, as named in a problem. */
  manifests: Record<string, Manifest>;
  workspaces?: readonly string[];
  allowScripts?: Record<string, boolean>;
  /** The oldest Node.js version that the project supports. */
  minimumNode: string;
  /** False where nothing in the lock file is shipped. */
  production?: boolean;
}

export interface Package {
  name: string;
  version: string;
  licence: string;
  isDevelopment: boolean;
  hasIntegrity: boolean;
}

export function findProblems(project: Project): string[];
export function listPackages(lock: Lock, workspaces?: readonly string[]): Package[];
