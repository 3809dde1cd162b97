import { describe, expect, it } from 'vitest';
import { canonicalize, withStatus } from './canonicalize.ts';
import { setOf, thing } from './testing/lens-of.ts';

const lens = setOf(
  { from: 'v1alpha1', to: 'v1beta1', ops: [{ rename: { from: 'spec.tls', to: 'spec.validation' } }] },
  { from: 'v1beta1', to: 'v1', ops: [{ rename: { from: 'status.seen', to: 'status.observed' } }] },
);

describe('canonicalize', () => {
  it('converts older objects to the newest known version', () => {
    const { object } = canonicalize(thing('v1alpha1', { tls: 1 }), lens, ['v1alpha1', 'v1beta1']);
    expect(object).toEqual(thing('v1beta1', { validation: 1 }));
  });

  it('returns the same object if nothing has to be done', () => {
    const original = thing('v1beta1', {});
    expect(canonicalize(original, lens, ['v1beta1'])).toEqual({ object: original, original });
  });

  it('reports a version newer than those known as ignored', () => {
    const original = thing('v1', {});
    expect(canonicalize(original, lens, ['v1alpha1', 'v1beta1'])).toEqual({
      ignored: 'v1 is newer than v1beta1, the newest version that is known here',
      original,
    });
  });

  it('ignores versions without a lens', () => {
    expect(canonicalize(thing('v0alpha1', {}), lens, ['v1']).ignored).toBe(
      'there is no lens from v0alpha1 to v1',
    );
    expect(canonicalize(thing('v1', {}), lens, []).ignored).toBe('no version is known');
  });

  it('writes back only the status, in the version of the object', () => {
    const original = { ...thing('v1alpha1', { tls: 1 }), status: { seen: 1 } };
    const canonical = canonicalize(original, lens, ['v1']);
    if (canonical.object === undefined) throw new Error(canonical.ignored);
    expect(withStatus(canonical, { observed: 2 }, lens)).toEqual({ ...original, status: { seen: 2 } });
  });
});
