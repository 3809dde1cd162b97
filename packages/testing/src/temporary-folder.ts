// Folders that are removed after the tests that use them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * An empty folder, removed after all tests of the file or of the describe block. Within a test or a
 * beforeEach hook, pass `onTestFinished` instead.
 */
export function temporaryFolder(whenDone: (remove: () => void) => void = afterAll): string {
  const folder = mkdtempSync(join(tmpdir(), 'instar-test-'));
  whenDone(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
