UPDATE clips
SET document = json_set(json_remove(document, '$.hand'), '$.overrides', json(json_extract(document, '$.hand')))
WHERE json_type(document, '$.hand') IS NOT NULL;
