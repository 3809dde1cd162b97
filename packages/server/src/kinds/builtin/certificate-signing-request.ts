// certificates.k8s.io/v1 CertificateSigningRequest: a request for a certificate, and what became of it.

import { goStruct } from '@instar/kinds';
import { defineKind } from '../define-kind.ts';
import { ageColumn, nameColumn } from '../table/columns.ts';

export const certificateSigningRequests = defineKind({
  plural: 'certificatesigningrequests',
  kind: 'CertificateSigningRequest',
  shortNames: ['csr'],
  namespaced: false,
  storagePath: 'certificatesigningrequests/',
  versions: [
    {
      group: 'certificates.k8s.io',
      version: 'v1',
      type: goStruct('certificates/v1.CertificateSigningRequest'),
      statusSubresource: true,
      columns: [nameColumn, ageColumn],
    },
  ],
  strategy: {},
});
