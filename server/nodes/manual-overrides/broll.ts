import { declareOverridePart, stretchProblem } from './declare.ts'

/** B-roll as an editor has arranged it. The node that shows it is there, whether or not the workflow had it. */
export const manualBroll = declareOverridePart({
  name: 'broll',
  check: (inserts) => stretchProblem('broll', inserts),
  document(inserts, document) {
    const shown = document.nodes.some(({ type, enabled }) => type === 'add_broll' && enabled)
    const node = { id: 'hand-add_broll', type: 'add_broll', enabled: true, config: {} }
    return {
      nodes: shown || inserts.length === 0 ? document.nodes : [...document.nodes, node],
      broll: { inserts },
    }
  },
})
