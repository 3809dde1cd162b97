import { SILENT } from '@instar/serving';
import { expect, it } from 'vitest';
import { checkFeatureGates } from './feature-gates.ts';

it('accepts its own gates and those of kube-apiserver, logs which have no effect, and refuses others', () => {
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
  expect(() => checkFeatureGates({ WatchList: true, WatchLits: true }, log)).toThrow(
    /^unrecognized feature gate: WatchLits$/,
  );
});
