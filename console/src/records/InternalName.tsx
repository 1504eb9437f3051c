interface Props {
  name: string;
}

/** The name of an action or setting in the API and in logs, beside the one on screen. */
export const InternalName = ({ name }: Props) => (
  <code className="ht-value-faint" title="内部名称，用于在日志和接口中查找">
    {name}
  </code>
);
