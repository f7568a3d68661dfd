/** Digests of values, for rooms that do not know the workers. */
export { digestOf } from '../../workers/artefacts.ts'
