/** Parameters of a dialog about one record. The dialog is open while it is mounted. */
export interface RecordDialogProps<Row> {
  row: Row;
  onClose: () => void;
}
