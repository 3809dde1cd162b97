// What the tests of several packages share, and nothing that loads a server: see api/, webhooks/, etcd/ and
// command/ for those.
export { CORPUS, corpusFiles, missingCorpus, readCorpus, unpackCorpus } from './corpus.ts';
export { describeUnless } from './describe-unless.ts';
export { eventually, settled } from './eventually.ts';
export { FakeClock } from './fake-clock.ts';
export { freePort } from './free-ports.ts';
export { RECORDINGS, readRecording, recordingsOf } from './recordings.ts';
export { temporaryFolder } from './temporary-folder.ts';
