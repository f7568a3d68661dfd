/** What the list and the editor of workflows say. */
import { inLanguage } from './common.ts'

const en = {
  list: {
    copyOf: (name: string) => `${name} (copy)`,
    notJson: (file: string) => `“${file}” is not JSON. Choose a file that Export has made.`,
    newWorkflow: 'New workflow',
    heading: 'Workflows',
    import: 'Import',
    duplicateOf: (name: string) => `Duplicate ${name}`,
    duplicate: 'Duplicate',
  },
  script: {
    heading: 'Start from a script',
    createKey: 'Create a key in',
    settings: 'Settings',
    shownOnce: '; it is shown only once.',
    ownerCreatesKey: 'An owner creates a key in Settings; it is shown only once.',
    reference: 'All calls, with examples:',
    publicApi: 'Public API',
    domainApi: 'Domain API',
  },
  field: {
    notJson: 'This is not valid JSON. Check commas and quotes.',
    notSet: 'Not set',
    default: (value: string) => `${value} (default)`,
    onePerLine: 'One per line.',
    onePerLineOf: (values: string) => `One per line, of: ${values}.`,
    asJson: 'As JSON, such as',
  },
  editor: {
    nameNeeded: 'A workflow needs a name.',
    deleteQuestion: (name: string) => `Delete the workflow “${name}”? Its runs and clips stay.`,
    overtaken: 'Somebody else has saved this workflow. Open their version, or export yours first.',
    all: 'All workflows',
    name: 'Workflow name',
    export: 'Export',
    readOnly: 'Your changes here are not saved.',
    openTheirs: 'Open their version',
    selection: 'Selection',
    addNode: 'Add a node',
    choose: 'Choose…',
    editNode: 'Edit a node',
    connectsTo: 'Connects to',
    connectTo: 'Connect to…',
    deleteNode: 'Delete node',
    emptySelection:
      'Select a node in the graph or above to edit it. To connect two nodes, drag from one’s right edge to the other, or use “Connects to” of the selected node.',
    description: 'Description',
  },
  graph: {
    off: ' (off)',
  },
}

export const { list, script, field, editor, graph } = inLanguage({ en })
