/** Whether what is dragged over the page are files, and not text or a part of the page. */
export const carriesFiles = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer?.types.includes('Files') === true
