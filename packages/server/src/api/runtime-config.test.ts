import { describe, expect, it } from 'vitest';
import { checkRuntimeConfig } from './runtime-config.ts';

const SERVED = new Set(['v1', 'apps/v1', 'events.k8s.io/v1']);

describe('the runtime configuration', () => {
  it.each(['api/all', 'api/beta', 'v1', 'api/v1', 'apps/v1', 'apps/v1/deployments', 'v1/pods'])(
    'may ask for %s, which is served',
    (key) => {
      expect(() => checkRuntimeConfig({ [key]: 'true' }, SERVED)).not.toThrow();
      expect(() => checkRuntimeConfig({ [key]: '' }, SERVED)).not.toThrow();
    },
  );

  it('may turn off what is not served', () => {
    expect(() => checkRuntimeConfig({ 'batch/v1beta1': 'false' }, SERVED)).not.toThrow();
  });

  it.each([
    ['batch/v2', 'true', 'runtime-config batch/v2=true: this server does not have that version'],
    ['apps/v1', 'false', 'runtime-config apps/v1=false: versions of this server cannot be turned off'],
    ['api/beta', 'false', 'runtime-config api/beta=false: versions of this server cannot be turned off'],
    ['apps/v1', 'yes', 'runtime-config: invalid value apps/v1=yes'],
  ])('may not be %s=%s', (key, value, message) => {
    expect(() => checkRuntimeConfig({ [key]: value }, SERVED)).toThrow(message);
  });
});
