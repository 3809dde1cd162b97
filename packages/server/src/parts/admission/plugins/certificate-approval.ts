// CertificateApproval: requests for certificates are approved by those who may do so for the signer.
import { quoteGo } from '@instar/go';
import type { SigningRequest } from '../../../kinds/validate/signing-request.ts';
import { denied, type PluginDefinition } from './plugin.ts';
import { mayUseSigner } from './signer.ts';

export const certificateApproval: PluginDefinition = {
  name: 'CertificateApproval',
  make: ({ authorizer }) => ({
    resources: ['certificates.k8s.io/certificatesigningrequests'],
    async validate(operation) {
      if (operation.operation !== 'UPDATE' || operation.write.subresource !== 'approval') return;
      const { signerName } = (operation.old as SigningRequest).spec;
      if (!(await mayUseSigner(operation, 'approve', signerName, authorizer)))
        throw denied(
          operation,
          `user not permitted to approve requests with signerName ${quoteGo(signerName)}`,
        );
    },
  }),
};
