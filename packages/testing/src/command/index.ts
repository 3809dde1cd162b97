// The built command, and kubectl to talk to it.
export { findKubectls, Kubectl, type KubectlResult, missingKubectl, words } from './kubectl.ts';
export { printLogsOnFailure } from './log-on-failure.ts';
export { MAIN, Run } from './run.ts';
export { ServerProcess } from './server-process.ts';
