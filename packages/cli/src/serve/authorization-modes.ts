// --authorization-mode: a list, as for kube-apiserver, with its errors.
import type { AuthorizationMode } from '@instar/server';
import { InvalidArgumentError } from 'commander';

const MODES: ReadonlySet<string> = new Set(['AlwaysAllow', 'AlwaysDeny', 'RBAC']);
const REFUSED: ReadonlyMap<string, string> = new Map([
  ['Node', 'The mode Node decides for kubelets by their pods, and there are no nodes here.'],
  ['ABAC', 'The mode ABAC is not supported: use RBAC.'],
]);

export function authorizationModes(text: string): readonly AuthorizationMode[] {
  const modes = text.split(',');
  for (const [index, mode] of modes.entries()) {
    const refusal = REFUSED.get(mode);
    if (refusal !== undefined) throw new InvalidArgumentError(refusal);
    if (!MODES.has(mode))
      throw new InvalidArgumentError(`"${mode}" is not a mode: ${[...MODES].join(', ')} are supported.`);
    if (modes.indexOf(mode) !== index) throw new InvalidArgumentError(`"${mode}" is named more than once.`);
  }
  return modes as AuthorizationMode[];
}
