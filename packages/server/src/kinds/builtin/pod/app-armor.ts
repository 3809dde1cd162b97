// AppArmor profiles were annotations of pods before they were fields: those without a field become one.
import { deepEqual, FieldPath, type JsonValue } from '@instar/machinery';
import { containersWithPath } from '../../validate/pod/each-container.ts';
import type { Pod, SecurityContext } from '../../validate/pod/pod-types.ts';

const PREFIX = 'container.apparmor.security.beta.kubernetes.io/';
const LOCALHOST = 'localhost/';

type Profile = NonNullable<SecurityContext['appArmorProfile']>;

/** Returns the keys of annotations that the client is warned of. */
export function takeAppArmorAnnotations({ metadata, spec }: Pod): string[] {
  if (spec.os?.name === 'windows') return [];
  const annotations = metadata.annotations ?? {};
  return containersWithPath(spec, FieldPath.root).flatMap(([container]) => {
    const key = PREFIX + container.name;
    if (!Object.hasOwn(annotations, key) || container.securityContext?.appArmorProfile !== undefined)
      return [];
    const profile = profileOf(annotations[key]!);
    if (profile === undefined) return [key];
    if (
      deepEqual(profile as unknown as JsonValue, (spec.securityContext?.appArmorProfile ?? null) as JsonValue)
    )
      return [];
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
    return [key];
  });
}

function profileOf(annotation: string): Profile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const name = annotation.startsWith(LOCALHOST) ? annotation.slice(LOCALHOST.length) : '';
  return name === '' || name.trim() !== name ? undefined : { type: 'Localhost', localhostProfile: name };
}
