import { describe, expect, it } from 'vitest';
import { decideNames, hasAllNames } from './names.ts';
import { changed, definition, establishedDefinition } from './testing/definition.ts';

const widgets = establishedDefinition({ names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'] } });

describe('a new definition', () => {
  it('has all its names accepted before it is established', () => {
    const crd = definition({ names: { plural: 'gadgets', kind: 'Gadget', categories: ['all'] } });
    const { acceptedNames, namesAccepted, established, changed: hasChanged } = decideNames(crd, [widgets]);
    expect(acceptedNames).toEqual(crd.spec.names);
    expect(namesAccepted).toMatchObject({ status: 'True', reason: 'NoConflicts' });
    expect(established).toMatchObject({ status: 'False', reason: 'Installing' });
    expect(hasChanged).toBe(true);
  });

  it('does not conflict with another group', () => {
    const crd = definition({ group: 'other.example.com' });
    expect(decideNames(crd, [widgets]).namesAccepted.status).toBe('True');
  });

  it.each([
    [
      'the same kind',
      { kind: 'Widget', listKind: 'GadgetList' },
      'KindConflict',
      '"Widget" is already in use',
    ],
    [
      'the same singular',
      { kind: 'Gadget', singular: 'widget' },
      'SingularConflict',
      '"widget" is already in use',
    ],
    [
      'the same list kind',
      { kind: 'Gadget', listKind: 'WidgetList' },
      'ListKindConflict',
      '"WidgetList" is already in use',
    ],
    [
      'a short name that is a plural',
      { kind: 'Gadget', shortNames: ['widgets'] },
      'ShortNamesConflict',
      '"widgets" is already in use',
    ],
    [
      'two short names',
      { kind: 'Gadget', shortNames: ['wd', 'gd', 'widget'] },
      'ShortNamesConflict',
      '["wd" is already in use, "widget" is already in use]',
    ],
    [
      'a plural that is a short name',
      { plural: 'wd', kind: 'Gadget' },
      'PluralConflict',
      '"wd" is already in use',
    ],
  ])('is refused %s', (_, names, reason, message) => {
    const crd = definition({ names: { plural: 'gadgets', ...names } });
    const { namesAccepted, established } = decideNames(crd, [widgets]);
    expect(namesAccepted).toEqual({ type: 'NamesAccepted', status: 'False', reason, message });
    expect(established).toMatchObject({ status: 'False', reason: 'NotAccepted' });
  });

  it('gets only the names that are free', () => {
    const crd = definition({
      names: { plural: 'gadgets', kind: 'Widget', singular: 'widget', shortNames: ['wd'] },
    });
    const { acceptedNames } = decideNames(crd, [widgets]);
    expect(acceptedNames).toEqual({ plural: 'gadgets', kind: '' });
  });

  it('reports the last of several conflicts', () => {
    const crd = definition({
      names: { plural: 'gadgets', kind: 'Widget', singular: 'widget', shortNames: ['wd'] },
    });
    const { namesAccepted } = decideNames(crd, [widgets]);
    expect(namesAccepted.reason).toBe('ListKindConflict');
  });
});

describe('an established definition', () => {
  const gadgets = establishedDefinition({ names: { plural: 'gadgets', kind: 'Gadget' } });

  it('keeps its old names and stays established when new ones are taken', () => {
    const crd = changed(gadgets, ({ spec }) => {
      spec.names = { ...spec.names, shortNames: ['wd'], categories: ['things'] };
    });
    const { acceptedNames, namesAccepted, established } = decideNames(crd, [widgets, crd]);
    expect(acceptedNames).toEqual({ ...gadgets.status.acceptedNames, categories: ['things'] });
    expect(namesAccepted.reason).toBe('ShortNamesConflict');
    expect(established.status).toBe('True');
  });

  it('gets them once the other is deleted', () => {
    const crd = changed(gadgets, ({ spec }) => {
      spec.names.shortNames = ['wd'];
    });
    expect(decideNames(crd, [crd]).acceptedNames.shortNames).toEqual(['wd']);
  });

  it('must not reuse its own plural for something else', () => {
    const crd = changed(gadgets, ({ spec }) => {
      spec.names.singular = 'gadgets';
    });
    expect(decideNames(crd, []).namesAccepted.reason).toBe('SingularConflict');
  });

  it('releases names that it no longer asks for', () => {
    const crd = changed(widgets, ({ spec }) => {
      delete spec.names.shortNames;
    });
    expect(decideNames(crd, [crd]).acceptedNames).not.toHaveProperty('shortNames');
  });
});

it('reports when there is nothing to decide', () => {
  expect(hasAllNames(definition())).toBe(false);
  expect(hasAllNames(widgets)).toBe(true);
  expect(
    hasAllNames(
      changed(widgets, ({ status }) => {
        status.acceptedNames.categories = [];
      }),
    ),
  ).toBe(true);
  expect(decideNames(widgets, [widgets]).changed).toBe(false);
});
