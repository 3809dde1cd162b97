// CertificateSigning: certificates and conditions are written by those who may sign for the signer.
import { quoteGo } from '@instar/go';
import { deepEqual, type JsonValue } from '@instar/machinery';
import type { SigningRequest } from '../../../kinds/validate/signing-request.ts';
import { denied, type PluginDefinition } from './plugin.ts';
import { mayUseSigner } from './signer.ts';

const signedPart = ({ status }: SigningRequest): JsonValue =>
  [status.certificate ?? null, status.conditions ?? []] as JsonValue;

export const certificateSigning: PluginDefinition = {
  name: 'CertificateSigning',
  make: ({ authorizer }) => ({
    resources: ['certificates.k8s.io/certificatesigningrequests'],
    async validate(operation) {
      if (operation.operation !== 'UPDATE' || operation.write.subresource !== 'status') return;
      const old = operation.old as SigningRequest;
      if (deepEqual(signedPart(operation.object as SigningRequest), signedPart(old))) return;
      const { signerName } = old.spec;
      if (!(await mayUseSigner(operation, 'sign', signerName, authorizer)))
        throw denied(operation, `user not permitted to sign requests with signerName ${quoteGo(signerName)}`);
    },
  }),
};
