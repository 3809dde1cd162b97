// /version: clients compare their own version with it. The numbers are those of the Kubernetes release whose
// API is served.
import type { Handler } from '../../wire/exchange.ts';
import { checkRoutable } from '../../wire/negotiate.ts';
import { jsonResponse, methodNotAllowed } from '../../wire/responses.ts';

/** The version of Instar. */
export const INSTAR_VERSION = '0.1.0';

/** The answer of `/version`. */
export const VERSION_INFO = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: `v1.36.4+instar-${INSTAR_VERSION}`,
  gitCommit: '',
  gitTreeState: 'clean',
  buildDate: '1970-01-01T00:00:00Z',
  goVersion: `node-${process.version}`,
  compiler: 'v8',
  platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
} as const;

const INDENTED = new TextEncoder().encode(JSON.stringify(VERSION_INFO, null, 2));

export const versionHandler: Handler = async (request) => {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw methodNotAllowed();
  checkRoutable(request, false, ['application/json']);
  // Indented, as kube-apiserver answers it: people read it with curl.
  return { ...jsonResponse(200, VERSION_INFO), body: INDENTED };
};
