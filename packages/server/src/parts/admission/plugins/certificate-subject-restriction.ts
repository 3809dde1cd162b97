// CertificateSubjectRestriction: no certificate for clients makes its holder a member of system:masters.
import { organizationsOf } from '../../../kinds/validate/certificate-request-der.ts';
import type { SigningRequest } from '../../../kinds/validate/signing-request.ts';
import { denied, isWholeCreate, type PluginDefinition } from './plugin.ts';

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const MASTERS = 'system:masters';

export const certificateSubjectRestriction: PluginDefinition = {
  name: 'CertificateSubjectRestriction',
  make: () => ({
    resources: ['certificates.k8s.io/certificatesigningrequests'],
    validate(operation) {
      if (!isWholeCreate(operation)) return;
      const { signerName, request } = (operation.object as SigningRequest).spec;
      if (signerName !== CLIENT_SIGNER || !organizationsOf(request ?? '').includes(MASTERS)) return;
      throw denied(operation, `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
    },
  }),
};
