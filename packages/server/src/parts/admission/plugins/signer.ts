// Who may approve or sign the certificates of a signer: those who may do so with the signer itself, or with
// all signers of its domain.
import type { Authorizer } from '../../../api/auth/authorizer.ts';
import type { AdmissionOperation } from '../../../objects/write/write-request.ts';
import { userOf } from '../../rbac/escalation.ts';

export async function mayUseSigner(
  { write }: AdmissionOperation,
  verb: 'approve' | 'sign',
  signer: string,
  authorizer: Authorizer,
): Promise<boolean> {
  const attributes = {
    user: userOf(write),
    verb,
    isResourceRequest: true,
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
    path: '',
  };
  for (const name of [signer, `${signer.split('/', 1)[0]}/*`])
    if ((await authorizer.authorize({ ...attributes, name })).decision === 'allow') return true;
  return false;
}
