import { expect, it } from 'vitest';
import { isOutdated } from './cleaning-controller.ts';

const now = Date.parse('2026-06-01T00:00:00Z');
const hoursAgo = (hours: number): string => new Date(now - hours * 3_600_000).toISOString();

it.each([
  ['pending for 23 hours', { created: 23 }, false],
  ['pending for 25 hours', { created: 25 }, true],
  ['denied half an hour ago', { created: 30, type: 'Denied', decided: 0.5 }, false],
  ['denied two hours ago', { created: 2, type: 'Denied', decided: 2 }, true],
  ['failed two hours ago', { created: 2, type: 'Failed', decided: 2 }, true],
  ['issued half an hour ago', { created: 1, type: 'Approved', decided: 0.5, certificate: 'eA==' }, false],
  ['issued two hours ago', { created: 2, type: 'Approved', decided: 2, certificate: 'eA==' }, true],
  ['approved two hours ago, and not issued', { created: 2, type: 'Approved', decided: 2 }, false],
  ['approved 25 hours ago, and not issued', { created: 25, type: 'Approved', decided: 25 }, true],
])(
  'a request that was %s is outdated: %s',
  (_what, { created, type, decided = 0, certificate }: Case, is) => {
    const conditions =
      type === undefined ? [] : [{ type, status: 'True', lastUpdateTime: hoursAgo(decided) }];
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'x', creationTimestamp: hoursAgo(created) },
      spec: { signerName: 'example.com/x' },
      status: { conditions, ...(certificate !== undefined && { certificate }) },
    };
    expect(isOutdated(request, now)).toBe(is);
  },
);

interface Case {
  readonly created: number;
  readonly type?: string;
  readonly decided?: number;
  readonly certificate?: string;
}
