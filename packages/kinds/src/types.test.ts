import { describe, expect, it } from 'vitest';
import { goStruct } from './types.ts';

const fieldOf = (reference: string, name: string) => goStruct(reference).fields.get(name)!;

describe('goStruct', () => {
  it('has the fields of the Go struct in their order, after apiVersion and kind', () => {
    expect([...goStruct('core/v1.Pod').fields.keys()]).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'spec',
      'status',
    ]);
  });

  it('returns the same struct for the same reference', () => {
    expect(goStruct('apps/v1.Deployment')).toBe(goStruct('apps/v1.Deployment'));
  });

  it('shares the types that other packages define', () => {
    expect(fieldOf('apps/v1.DeploymentSpec', 'template').type).toBe(goStruct('core/v1.PodTemplateSpec'));
  });

  it('names types as Go prints them', () => {
    expect(fieldOf('core/v1.ContainerPort', 'protocol').type).toMatchObject({
      kind: 'string',
      name: 'v1.Protocol',
      enum: ['SCTP', 'TCP', 'UDP'],
    });
    expect(fieldOf('core/v1.ResourceRequirements', 'limits').type.name).toBe('v1.ResourceList');
  });

  it('has the numbers that lead to the field of an embedded struct', () => {
    expect(fieldOf('core/v1.Volume', 'emptyDir')).toMatchObject({
      number: [2, 2],
      embeddedIn: 'VolumeSource',
    });
  });

  it('has how lists merge', () => {
    expect(fieldOf('core/v1.PodSpec', 'containers')).toMatchObject({
      required: true,
      listType: 'map',
      mapKeys: ['name'],
      patch: { strategy: 'merge', key: 'name' },
    });
  });

  it('has the default of a field', () => {
    expect(fieldOf('core/v1.ContainerPort', 'protocol').default).toBe('TCP');
  });

  it('refuses a reference to a type that no table has', () => {
    expect(() => goStruct('core/v1.Widget')).toThrow('the table core/v1 has no type Widget');
    expect(() => goStruct('widgets/v1.Widget')).toThrow('there is no table widgets/v1');
  });
});
