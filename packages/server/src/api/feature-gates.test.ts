import { SILENT } from '@instar/serving';
import { expect, it } from 'vitest';
import { checkFeatureGates } from './feature-gates.ts';

it('accepts the gates of kube-apiserver, with a warning for those without effect', () => {
  const warned: unknown[] = [];
  const log = { ...SILENT, warn: ({ gate }: { gate?: string }) => void warned.push(gate) };
  checkFeatureGates(
    {
      CustomResourceWebhookConversion: false,
      WatchList: true,
      AllAlpha: true,
      AllBeta: false,
      ServerSideApply: true,
    },
    log,
  );
  expect(warned).toEqual(['WatchList', 'AllAlpha', 'AllBeta', 'ServerSideApply']);
});

it('refuses unknown gates', () => {
  expect(() => checkFeatureGates({ WatchList: true, WatchLits: true }, SILENT)).toThrow(
    /^unrecognized feature gate: WatchLits$/,
  );
});
