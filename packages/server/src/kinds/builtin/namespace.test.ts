import { describe, expect, it } from 'vitest';
import { namespaces } from './namespace.ts';
import { Trial } from './trial.ts';

const trial = new Trial(namespaces);

describe('namespaces', () => {
  it('are Active, with a finalizer and the label of their name', () => {
    expect(
      trial.create({
        metadata: { name: 'a', labels: { team: 'x' } },
        spec: { finalizers: ['example.com/mine'] },
        status: { phase: 'Terminating' },
      }),
    ).toMatchObject({
      metadata: { labels: { team: 'x', 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['example.com/mine', 'kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  it.each([
    [{ metadata: { name: 'with.dot' } }, ['metadata.name: Invalid value: "with.dot": must not contain dots']],
    [
      { spec: { finalizers: ['mine'] } },
      [
        'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
      ],
    ],
    [{ metadata: { namespace: 'x' } }, ['metadata.namespace: Forbidden: not allowed on this type']],
    [{ spec: { finalizers: ['orphan', 'example.com/mine'] } }, []],
  ])('are validated: %j', (body, faults) => {
    expect(trial.faults(body)).toEqual(faults);
  });

  it('change finalizers and status only through their subresources', () => {
    const wanted = {
      metadata: { labels: { a: 'b' } },
      spec: { finalizers: ['example.com/x'] },
      status: { phase: 'Terminating' },
    };
    expect(trial.update(wanted, {}).object).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    expect(trial.update({ spec: {} }, {}, 'finalize').object).toMatchObject({
      spec: {},
      status: { phase: 'Active' },
    });
    expect(trial.update(wanted, {}, 'status')).toMatchObject({
      object: { spec: { finalizers: ['kubernetes'] }, status: { phase: 'Terminating' } },
      faults: [
        `status.Phase: Invalid value: "Terminating": may only be 'Active' if \`deletionTimestamp\` is empty`,
      ],
    });
  });

  it('are Terminating while they are being deleted', () => {
    const namespace = trial.create({});
    namespaces.strategy.markForDeletion!(namespace, '2026-01-02T03:04:05Z');
    expect(namespace['status']).toEqual({ phase: 'Terminating' });
  });

  it('can be selected by phase', () => {
    expect(trial.selects({})).toEqual({ 'status.phase': 'Active' });
    expect(trial.cells({})).toEqual(['a', 'Active', '<unknown>']);
  });
});
