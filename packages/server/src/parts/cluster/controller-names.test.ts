import { expect, it } from 'vitest';
import { CONTROLLERS, checkControllers, isControllerEnabled } from './controller-names.ts';

const on = (...list: string[]) => CONTROLLERS.filter((name) => isControllerEnabled(name, list));

it('switches all on with *, and none with -*', () => {
  expect(on('*')).toEqual(CONTROLLERS);
  expect(on('-*')).toEqual([]);
});

it('switches single ones off and on, also by their older names', () => {
  expect(on('*', '-namespace-controller')).toEqual(
    CONTROLLERS.filter((name) => name !== 'namespace-controller'),
  );
  expect(on('endpoint', 'garbage-collector-controller')).toEqual([
    'endpoints-controller',
    'garbage-collector-controller',
  ]);
  expect(on('*', '-resourcequota')).not.toContain('resourcequota-controller');
});

it('refuses names that nobody knows, and controllers that are not here', () => {
  expect(checkControllers(['*', '-garbagecollector', '-deployment-controller', '-*'])).toBeUndefined();
  expect(checkControllers(['no-such'])).toBe('"no-such" is not in the list of known controllers');
  expect(checkControllers(['deployment-controller'])).toContain('run kube-controller-manager beside it');
});
