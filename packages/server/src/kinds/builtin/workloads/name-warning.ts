// The warning for names that are valid but unsuitable for pods.
import { validateDns1123Label } from '@instar/go';
import type { KubeObject } from '@instar/machinery';

export function nameWarnings({ metadata }: KubeObject): string[] {
  const reasons = validateDns1123Label(metadata.name ?? '');
  if (reasons.length === 0) return [];
  return [
    `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${reasons.join(' ')}]`,
  ];
}
