# Sourced by the scripts beside it: makes Siconos ready and compiles one C program against it, or says why not.
#
#   peer SOURCE PROGRAM
#
# Siconos is Debian's python3-siconos, which brings the C library and its headers; as root on a machine with apt it is
# installed.
headers=/usr/include/siconos

peer() {
    if [ ! -d "$headers/numerics" ]; then
        command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || { echo "no $headers, and no apt as root" >&2; return 1; }
        apt-get install -y python3-siconos >/dev/null 2>&1 || { echo "apt has no python3-siconos" >&2; return 1; }
    fi
    command -v cc >/dev/null || { echo "no C compiler here" >&2; return 1; }
    cc -O2 -I"$headers" -I"$headers/numerics" "$1" -o "$2" -lsiconos_numerics -lm
}
