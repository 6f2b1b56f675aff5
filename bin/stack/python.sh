# Sets $python to a Python that is new enough; sourced by bin/*.
python=
for candidate in ${LAKELOCK_PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3}; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$candidate
        break
    fi
done
if [ -z "$python" ]; then
    echo "lakelock: Python 3.11 or newer is needed and was not found. Install it, or name one in LAKELOCK_PYTHON." >&2
    exit 1
fi
