// What a controller does with the objects that it reads: older ones are converted to the newest version that
// it knows, newer ones are ignored. The object in the cluster never changes by this: only its status can be
// written back, in the version of the object.
import { compareKubeAwareVersions, type KubeObject, parseApiVersion } from '@instar/machinery';
import { LensError } from './lens-error.ts';
import type { LensSet } from './lens-set.ts';

/** An object in the newest version of its lens, beside the original. */
export interface Canonical {
  /** In the newest known version. Shares parts with the original; must not be changed. */
  readonly object: KubeObject;
  /** As it came. */
  readonly original: KubeObject;
  readonly ignored?: undefined;
}

/** An object that the lens does not convert, and why. */
export interface Ignored {
  readonly ignored: string;
  readonly original: KubeObject;
  readonly object?: undefined;
}

/** `knownVersions`: those that the controller was written for. */
export function canonicalize(
  object: KubeObject,
  lens: LensSet,
  knownVersions: readonly string[],
): Canonical | Ignored {
  const newest = newestOf(knownVersions);
  const version = parseApiVersion(object.apiVersion)?.version ?? '';
  const reason = reasonToIgnore(version, newest, knownVersions, lens);
  if (reason !== undefined) return { ignored: reason, original: object };
  try {
    return { object: lens.convert(object, newest!), original: object };
  } catch (error) {
    if (error instanceof LensError) return { ignored: error.message, original: object };
    throw error;
  }
}

function newestOf(versions: readonly string[]): string | undefined {
  return [...versions].sort(compareKubeAwareVersions)[0];
}

function reasonToIgnore(
  version: string,
  newest: string | undefined,
  known: readonly string[],
  lens: LensSet,
): string | undefined {
  if (newest === undefined) return 'no version is known';
  if (version === newest) return undefined;
  if (!known.includes(version) && compareKubeAwareVersions(version, newest) < 0)
    return `${version} is newer than ${newest}, the newest version that is known here`;
  if (!lens.canConvert(version, newest)) return `there is no lens from ${version} to ${newest}`;
  return undefined;
}

/**
 * The original with another status, ready to be written to its status subresource. Everything else is
 * unchanged.
 */
export function withStatus({ object, original }: Canonical, status: unknown, lens: LensSet): KubeObject {
  const back = lens.convert({ ...object, status }, original.apiVersion);
  const { status: _, ...rest } = original;
  return (back['status'] === undefined ? rest : { ...rest, status: back['status'] }) as KubeObject;
}
