// The parts of jose that sign and verify: loaded with the first token, which many servers never see.

export { CompactSign } from 'jose/jws/compact/sign';
export { compactVerify } from 'jose/jws/compact/verify';
